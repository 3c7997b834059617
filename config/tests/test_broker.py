"""What a worker makes of a broker that goes away."""

import pytest
from kombu import Connection

from config import celery
from config.server import broker
from config.tools.smoke.services import free_port


def test_a_message_that_cannot_be_handed_back_is_a_lost_connection_and_no_end_of_the_worker():
    """A worker takes a lost connection up again; over anything else it ends."""
    assert celery.app.conf.broker_connection_max_retries is None
    with Connection(f"redis://127.0.0.1:{free_port()}/0") as connection:
        assert isinstance(connection.transport, broker.Transport)
        channel = object.__new__(broker.Channel)
        channel.connection = connection.transport
        connection.transport.client = None
        with pytest.raises(connection.connection_errors):
            channel._create_client()
