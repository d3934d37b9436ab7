# As the documents of Django REST framework do it: a model serializer with its validators, Django's password validators,
# `authenticate`, and one authtoken for each user, which logging out deletes. The documents say how to take `Bearer`.
# After https://www.django-rest-framework.org/api-guide/authentication/#tokenauthentication and
# https://www.django-rest-framework.org/api-guide/serializers/#modelserializer
import os

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="django-insecure-tutorial",
    DEBUG=False,
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework", "rest_framework.authtoken"],
    MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"],
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(os.environ["DATA"], "db.sqlite3")}
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    AUTH_PASSWORD_VALIDATORS=[
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in [
            "UserAttributeSimilarityValidator",
            "MinimumLengthValidator",
            "CommonPasswordValidator",
            "NumericPasswordValidator",
        ]
    ],
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    },
)
django.setup()

from django.contrib.auth import authenticate  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.auth.password_validation import validate_password  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import generics, serializers, status  # noqa: E402
from rest_framework.authentication import TokenAuthentication  # noqa: E402
from rest_framework.authtoken.models import Token  # noqa: E402
from rest_framework.permissions import IsAuthenticated  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.validators import UniqueValidator  # noqa: E402
from rest_framework.views import APIView  # noqa: E402


class BearerAuthentication(TokenAuthentication):
    keyword = "Bearer"


class UserSerializer(serializers.ModelSerializer):
    name = serializers.CharField(source="first_name", max_length=150)
    email = serializers.EmailField(validators=[UniqueValidator(queryset=User.objects.all())])
    password = serializers.CharField(write_only=True, validators=[validate_password])

    class Meta:
        model = User
        fields = ["id", "name", "email", "password"]

    def create(self, validated_data):
        return User.objects.create_user(username=validated_data["email"], **validated_data)


class LoginSerializer(serializers.Serializer):
    email = serializers.EmailField()
    password = serializers.CharField(trim_whitespace=False)

    def validate(self, attrs):
        user = authenticate(username=attrs["email"], password=attrs["password"])
        if not user:
            raise serializers.ValidationError("Unable to log in with provided credentials.", code="authorization")
        return {"user": user}


class Register(generics.CreateAPIView):
    serializer_class = UserSerializer


class Login(APIView):

    def post(self, request):
        serializer = LoginSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        token, _created = Token.objects.get_or_create(user=serializer.validated_data["user"])
        return Response({"token": token.key})


class Profile(generics.RetrieveAPIView):
    authentication_classes = [BearerAuthentication]
    permission_classes = [IsAuthenticated]
    serializer_class = UserSerializer

    def get_object(self):
        return self.request.user


class Logout(APIView):
    authentication_classes = [BearerAuthentication]
    permission_classes = [IsAuthenticated]

    def post(self, request):
        request.user.auth_token.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


urlpatterns = [
    path("api/v1/auth/registro", Register.as_view()),
    path("api/v1/auth/login", Login.as_view()),
    path("api/v1/auth/perfil", Profile.as_view()),
    path("api/v1/auth/salir", Logout.as_view()),
]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    call_command("runserver", f"127.0.0.1:{os.environ['PORT']}", use_reloader=False)
