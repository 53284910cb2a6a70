"""Measures what Pagefile finds on conversations with answer keys. Uses only the public API."""
