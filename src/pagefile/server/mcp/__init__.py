"""MCP: the memory as tools, resources and a prompt for models of other programs. Nothing is imported here: ``greeting`` is to be quick."""
