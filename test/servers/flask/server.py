# As the documents of Flask and Flask-JWT-Extended do it: checks by hand, `msg`, sqlite3, Werkzeug's hashes, and a
# blocklist of ended tokens in memory.
# After https://flask.palletsprojects.com/en/2.2.x/tutorial/views/ and
# https://flask-jwt-extended.readthedocs.io/en/stable/blocklist_and_token_revoking.html
import os
import sqlite3

from flask import Flask, g, jsonify, request
from flask_jwt_extended import (
    JWTManager,
    create_access_token,
    create_refresh_token,
    get_jwt,
    get_jwt_identity,
    jwt_required,
    set_refresh_cookies,
)
from werkzeug.security import check_password_hash, generate_password_hash

app = Flask(__name__)
app.config["JWT_SECRET_KEY"] = "super-secret"
# REFRESH is `headers` or `cookies`: where the refresh token goes.
# https://flask-jwt-extended.readthedocs.io/en/stable/refreshing_tokens.html#explicit-refreshing-with-refresh-tokens
renewing = os.environ.get("REFRESH")
if renewing == "cookies":
    app.config["JWT_TOKEN_LOCATION"] = ["headers", "cookies"]
    app.config["JWT_REFRESH_COOKIE_PATH"] = "/api/v1/auth/refresh"
jwt = JWTManager(app)
blocklist = set()

DATABASE = os.path.join(os.environ["DATA"], "flask.sqlite")


def get_db():
    if "db" not in g:
        g.db = sqlite3.connect(DATABASE)
        g.db.row_factory = sqlite3.Row
    return g.db


@app.teardown_appcontext
def close_db(_error):
    db = g.pop("db", None)
    if db is not None:
        db.close()


@jwt.token_in_blocklist_loader
def check_if_token_revoked(_header, payload):
    return payload["jti"] in blocklist


def register():
    name = request.json.get("name")
    email = request.json.get("email")
    password = request.json.get("password")
    error = None
    if not name:
        error = "Name is required."
    elif not email:
        error = "Email is required."
    elif not password:
        error = "Password is required."
    elif len(password) < 8:
        error = "Password must be at least 8 characters."
    elif "cpassword" in request.json and request.json["cpassword"] != password:
        error = "Passwords must match."
    if error is None:
        db = get_db()
        try:
            db.execute(
                "INSERT INTO user (name, email, password) VALUES (?, ?, ?)",
                (name, email, generate_password_hash(password)),
            )
            db.commit()
        except db.IntegrityError:
            error = f"User {email} is already registered."
        else:
            return jsonify(msg="User created"), 201
    return jsonify(msg=error), 400


app.post("/api/v1/auth/registro")(register)
app.post("/api/v1/auth/register")(register)


@app.post("/api/v1/auth/login")
def login():
    email = request.json.get("email", None)
    password = request.json.get("password", None)
    user = get_db().execute("SELECT * FROM user WHERE email = ?", (email,)).fetchone()
    if user is None:
        return jsonify(msg="Incorrect email."), 401
    if not check_password_hash(user["password"], password):
        return jsonify(msg="Incorrect password."), 401
    identity = str(user["id"])
    access = create_access_token(identity=identity)
    if renewing == "headers":
        return jsonify(access_token=access, refresh_token=create_refresh_token(identity=identity))
    answer = jsonify(access_token=access)
    if renewing == "cookies":
        set_refresh_cookies(answer, create_refresh_token(identity=identity))
    return answer


@app.get("/api/v1/auth/perfil")
@jwt_required()
def profile():
    user = get_db().execute("SELECT * FROM user WHERE id = ?", (get_jwt_identity(),)).fetchone()
    return jsonify(id=user["id"], name=user["name"], email=user["email"])


@app.post("/api/v1/auth/salir")
@jwt_required()
def logout():
    blocklist.add(get_jwt()["jti"])
    return jsonify(msg="Access token revoked")


if renewing:

    @app.post("/api/v1/auth/refresh")
    @jwt_required(refresh=True)
    def refresh():
        return jsonify(access_token=create_access_token(identity=get_jwt_identity()))


with sqlite3.connect(DATABASE) as made:
    made.execute(
        "CREATE TABLE user (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, email TEXT UNIQUE NOT NULL, password TEXT NOT NULL)"
    )
app.run(port=int(os.environ["PORT"]))
