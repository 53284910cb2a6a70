"""The server: an OpenAI-compatible proxy, REST and MCP over one memory. Needs the extra ``server``; nothing else imports this package."""
