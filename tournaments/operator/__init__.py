"""Those who run the site: accounts, events, reports of abuse and persons; never a score."""
