"""What the model sees: shares of its window, the text of each part, the order, and what leaves when it is full. Pure functions."""
