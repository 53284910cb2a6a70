"""From what was said to what is known: screening, extraction, reconciliation, consolidation, forgetting."""
