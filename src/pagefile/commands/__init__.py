"""The commands of the command line: one function a command, each a few lines over ``pagefile.Memory``."""
