"""The public read API: what it says, described once, in the code; its document and its page are made from that."""
