"""Tables: protocols, hands, devices, the tablet's API and shell."""
