// htmx would write a style sheet into the page, which the Content-Security-Policy forbids.
htmx.config.includeIndicatorStyles = false;
htmx.config.allowEval = false;
