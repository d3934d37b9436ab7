# As FastAPI's tutorial does it: pydantic models with EmailStr, HTTPException, passlib, python-jose, and a token that
# lives half an hour and that nobody keeps.
# After https://fastapi.tiangolo.com/tutorial/security/oauth2-jwt/ and https://fastapi.tiangolo.com/tutorial/sql-databases/
import os
from datetime import datetime, timedelta
from typing import Union

import uvicorn
from fastapi import APIRouter, Depends, FastAPI, HTTPException, status
from fastapi.security import OAuth2PasswordBearer
from jose import JWTError, jwt
from passlib.context import CryptContext
from pydantic import BaseModel, EmailStr, constr

SECRET_KEY = "09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7"
ALGORITHM = "HS256"
ACCESS_TOKEN_EXPIRE_MINUTES = 30

users_db = {}
pwd_context = CryptContext(schemes=["bcrypt"], deprecated="auto")
oauth2_scheme = OAuth2PasswordBearer(tokenUrl="api/v1/auth/login")


class Token(BaseModel):
    access_token: str
    token_type: str


class User(BaseModel):
    id: int
    name: str
    email: EmailStr


class UserInDB(User):
    hashed_password: str


class UserCreate(BaseModel):
    name: constr(min_length=1)
    email: EmailStr
    password: constr(min_length=8)


class Credentials(BaseModel):
    email: EmailStr
    password: str


def create_access_token(data: dict, expires_delta: Union[timedelta, None] = None):
    return jwt.encode({**data, "exp": datetime.utcnow() + expires_delta}, SECRET_KEY, algorithm=ALGORITHM)


async def get_current_user(token: str = Depends(oauth2_scheme)):
    credentials_exception = HTTPException(
        status_code=status.HTTP_401_UNAUTHORIZED,
        detail="Could not validate credentials",
        headers={"WWW-Authenticate": "Bearer"},
    )
    try:
        payload = jwt.decode(token, SECRET_KEY, algorithms=[ALGORITHM])
    except JWTError:
        raise credentials_exception
    user = users_db.get(payload.get("sub"))
    if user is None:
        raise credentials_exception
    return user


router = APIRouter(prefix="/api/v1/auth")


@router.post("/register", response_model=User)
def create_user(user: UserCreate):
    if user.email in users_db:
        raise HTTPException(status_code=400, detail="Email already registered")
    users_db[user.email] = UserInDB(
        id=len(users_db) + 1,
        name=user.name,
        email=user.email,
        hashed_password=pwd_context.hash(user.password),
    )
    return users_db[user.email]


@router.post("/login", response_model=Token)
def login_for_access_token(credentials: Credentials):
    user = users_db.get(credentials.email)
    if not user or not pwd_context.verify(credentials.password, user.hashed_password):
        raise HTTPException(
            status_code=status.HTTP_401_UNAUTHORIZED,
            detail="Incorrect username or password",
            headers={"WWW-Authenticate": "Bearer"},
        )
    expires = timedelta(minutes=ACCESS_TOKEN_EXPIRE_MINUTES)
    return {"access_token": create_access_token({"sub": user.email}, expires), "token_type": "bearer"}


@router.get("/perfil", response_model=User)
async def read_users_me(current_user: User = Depends(get_current_user)):
    return current_user


@router.post("/salir")
async def logout(current_user: User = Depends(get_current_user)):
    return {"message": "Successfully logged out"}


app = FastAPI()
app.include_router(router)
uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
