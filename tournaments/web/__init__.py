"""What every page shares: who may, strict reading, paging, labels, uploads, forms."""
