# syntax=docker/dockerfile:1
# One image for everything: `serve` (default), `api`, `worker`, `migrate`.

FROM python:3.13-slim-trixie AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /build
RUN python -m venv /opt/seedbed
COPY requirements.lock ./
RUN /opt/seedbed/bin/pip install --require-hashes --only-binary :all: --no-compile -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY core core
COPY app app
COPY migrations migrations
RUN /opt/seedbed/bin/pip install --no-deps --no-build-isolation --no-compile . \
    # The build alone takes these; hatchling needs those of the second line.
    && /opt/seedbed/bin/pip uninstall --yes editables hatchling \
        packaging pathspec pluggy tomlkit trove-classifiers pip \
    # The user of the container could not write what each start would compile again.
    # Unchecked: by the time of its source, builders that round times make half of it stale.
    && /opt/seedbed/bin/python -m compileall -q -j 0 --invalidation-mode unchecked-hash \
        /opt/seedbed/lib

FROM python:3.13-slim-trixie
# LightGBM takes the OpenMP library of the system.
RUN apt-get update && apt-get install --yes --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/*
# The standard library comes without compiled code.
RUN python -m compileall -q -j 0 -x site-packages --invalidation-mode unchecked-hash \
        "$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin seedbed \
    && install -d -o seedbed -g seedbed -m 0700 /data
COPY --from=build /opt/seedbed /opt/seedbed
ENV PATH=/opt/seedbed/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    # What a container keeps in /tmp is its own, but may be memory: too small for a sort.
    SQLITE_TMPDIR=/data \
    # Compiled kernels are kept here: the installed package is not writable for this user.
    NUMBA_CACHE_DIR=/data/kernels \
    SEEDBED_HOST=0.0.0.0 \
    # As where the service listens on its machine alone: it is published there, unless told otherwise.
    SEEDBED_ALLOWED_HOSTS=localhost \
    SEEDBED_DATABASE_URL=sqlite:////data/seedbed.db \
    SEEDBED_ARTIFACTS_URL=/data/artifacts \
    SEEDBED_CACHE_DIRECTORY=/data/cache
# By number: Kubernetes cannot tell that a name is not root.
USER 10001
VOLUME /data
EXPOSE 8000
# By no proxy, as Docker may set one for all containers.
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.build_opener(u.ProxyHandler({})).open(f\"http://127.0.0.1:{os.environ.get('SEEDBED_PORT', '8000')}/livez\", timeout=2)"]
ENTRYPOINT ["seedbed"]
CMD ["serve"]
