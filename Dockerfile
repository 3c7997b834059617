# One image for every process: web, live, worker, beat, backup, and the commands of manage.py.
# The base is named by its minor version; its corrections arrive with `docker compose build --pull`.
FROM python:3.13-slim-trixie AS build

ARG EXTRA_PACKAGES=""
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1
RUN python -m venv /venv
WORKDIR /site
COPY requirements.lock ./
RUN /venv/bin/pip install --require-hashes --only-binary :all: -r requirements.lock
RUN if [ -n "$EXTRA_PACKAGES" ]; then /venv/bin/pip install --only-binary :all: $EXTRA_PACKAGES; fi
COPY . .
RUN export FOUR_WINDS_VAR=/tmp/build STATIC_ROOT=/site/collected HASHED_STATIC=1 \
 && /venv/bin/python manage.py messages compile \
 && /venv/bin/python manage.py collectstatic --no-input --verbosity 0


FROM python:3.13-slim-trixie

# As new as the server of docker-compose.yml. Debian trixie has version 17 alone; others come from PostgreSQL's own archive.
ARG POSTGRES_CLIENT=postgresql-client-17
RUN apt-get update \
 && if ! apt-cache show "$POSTGRES_CLIENT" > /dev/null 2>&1; then \
      apt-get install --yes --no-install-recommends ca-certificates postgresql-common \
   && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y; \
    fi \
 && apt-get install --yes --no-install-recommends "$POSTGRES_CLIENT" \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /nonexistent --shell /usr/sbin/nologin winds

ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=config.settings.production \
    STATIC_ROOT=/site/collected \
    HOST=0.0.0.0 \
    PORT=8000

COPY --from=build /venv /venv
COPY --from=build /site /site
WORKDIR /site
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["python", "-m", "config.server.healthcheck"]
CMD ["python", "-m", "config.server"]
