"""Speed, memory and growth of Pagefile on this machine: ``python -m benchmarks``. Prints tables; asserts nothing."""
