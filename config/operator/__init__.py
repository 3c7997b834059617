"""What whoever runs the site needs: metrics, a page on its health, nightly chores, backups and drills."""
