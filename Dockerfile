# One image for the web servers, the workers and the clock; compose.yaml says which, and asks how they are.
FROM python:3.13-slim-bookworm

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    CALLBREAK_ENV=production \
    CALLBREAK_DATA_DIR=/data

RUN useradd --system --uid 10001 --home-dir /data --create-home callbreak
WORKDIR /app

COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements.txt

COPY . .
RUN SECRET_KEY=only-while-building python manage.py collectstatic --noinput

USER callbreak
EXPOSE 8000
# granian lets running requests end, celery running tasks.
STOPSIGNAL SIGTERM
CMD ["granian", "--interface", "wsgi", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", \
     "--blocking-threads", "4", "--workers-kill-timeout", "12", "--respawn-failed-workers", "--no-ws", "--http", "1", \
     "--http1-buffer-size", "32768", "callbreak_site.wsgi:application"]
