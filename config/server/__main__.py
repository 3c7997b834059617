"""`python -m config.server`: serve with the settings of the environment."""

import sys

from config.server.process import main

try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
