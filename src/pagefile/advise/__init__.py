"""Says of real chat logs which way of remembering is worth it: what people ask in them, and what each way would cost in tokens."""
