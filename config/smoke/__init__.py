"""The production shape on one machine: scratch servers, the site as many processes, and a journey through it."""
