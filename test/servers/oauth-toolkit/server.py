# As the tutorial of Django OAuth Toolkit sets it up, with a public client for the password grant and OpenID Connect for
# the profile. It has no registration: ACCOUNT and PASSWORD in the environment are the one account.
# After https://django-oauth-toolkit.readthedocs.io/en/latest/getting_started.html and .../oidc.html
import os

import django
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings

key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)

settings.configure(
    SECRET_KEY="django-insecure-tutorial",
    DEBUG=False,
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"],
    MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"],
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(os.environ["DATA"], "db.sqlite3")}
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": key.decode(),
        "OAUTH2_VALIDATOR_CLASS": "__main__.Validator",
        "SCOPES": {"openid": "OpenID Connect", "email": "The email"},
    },
)
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.models import Application  # noqa: E402
from oauth2_provider.oauth2_validators import OAuth2Validator  # noqa: E402


class Validator(OAuth2Validator):
    oidc_claim_scope = {"sub": "openid", "email": "email"}

    def get_additional_claims(self, request):
        return {"email": request.user.email}


urlpatterns = [path("o/", include("oauth2_provider.urls", namespace="oauth2_provider"))]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    email = os.environ["ACCOUNT"]
    User.objects.create_user(username=email, email=email, password=os.environ["PASSWORD"])
    Application.objects.create(
        client_id="llavero",
        client_type=Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_PASSWORD,
        algorithm=Application.RS256_ALGORITHM,
    )
    call_command("runserver", f"127.0.0.1:{os.environ['PORT']}", use_reloader=False)
