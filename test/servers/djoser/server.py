# As djoser's guide sets it up, with tokens of Django REST framework.
# After https://djoser.readthedocs.io/en/latest/getting_started.html and .../authentication_backends.html
import os

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="django-insecure-tutorial",
    DEBUG=False,
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "rest_framework",
        "rest_framework.authtoken",
        "djoser",
    ],
    MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"],
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(os.environ["DATA"], "db.sqlite3")}
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    AUTH_PASSWORD_VALIDATORS=[
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in ["MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator"]
    ],
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.TokenAuthentication"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    },
)
django.setup()

from django.core.management import call_command  # noqa: E402
from django.urls import include, path  # noqa: E402

urlpatterns = [path("auth/", include("djoser.urls")), path("auth/", include("djoser.urls.authtoken"))]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    call_command("runserver", f"127.0.0.1:{os.environ['PORT']}", use_reloader=False)
