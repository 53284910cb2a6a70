"""What Pagefile knows about language: words, dates and tokens, in English and Chinese, offline."""
