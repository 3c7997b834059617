"""What runs in front of Django: the process, its connections, the request gate and the worker threads."""
