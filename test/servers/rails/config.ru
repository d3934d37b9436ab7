# As the guides of Rails do it: an API application in one file, run by Puma, `has_secure_password`, `has_secure_token`, validations of
# Active Record, and `authenticate_or_request_with_http_token`, which also takes Bearer. A login makes a new token.
# After https://guides.rubyonrails.org/v6.1/api_app.html,
# https://api.rubyonrails.org/v6.1/classes/ActiveModel/SecurePassword/ClassMethods.html and
# https://api.rubyonrails.org/v6.1/classes/ActionController/HttpAuthentication/Token.html
require "rails"
require "active_record/railtie"
require "action_controller/railtie"

ENV["RAILS_ENV"] = "production"
ENV["DATABASE_URL"] = "sqlite3:#{File.join(ENV["DATA"], "rails.sqlite3")}"

class App < Rails::Application
  config.root = ENV["DATA"]
  config.load_defaults 6.1
  config.api_only = true
  config.eager_load = false
  config.secret_key_base = "a" * 64
  config.logger = Logger.new(File::NULL)
  config.hosts << "127.0.0.1"
end
App.initialize!

ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table :users do |t|
    t.string :name, null: false
    t.string :email, null: false, index: { unique: true }
    t.string :password_digest, null: false
    t.string :auth_token, index: { unique: true }
    t.timestamps
  end
end

class User < ActiveRecord::Base
  has_secure_password
  has_secure_token :auth_token
  validates :name, presence: true
  validates :email, presence: true, uniqueness: true, format: { with: URI::MailTo::EMAIL_REGEXP }
  validates :password, length: { minimum: 8 }, allow_nil: true

  def as_json(options = {})
    super(options.merge(except: [:password_digest, :auth_token]))
  end
end

class ApplicationController < ActionController::API
  include ActionController::HttpAuthentication::Token::ControllerMethods

  def authenticate
    authenticate_or_request_with_http_token do |token, _options|
      @current_user = User.find_by(auth_token: token)
    end
  end
end

class UsersController < ApplicationController
  before_action :authenticate, only: :show

  def create
    user = User.new(params.permit(:name, :email, :password))
    if user.save
      render json: user, status: :created
    else
      render json: user.errors, status: :unprocessable_entity
    end
  end

  def show
    render json: @current_user
  end
end

class SessionsController < ApplicationController
  before_action :authenticate, only: :destroy

  def create
    user = User.find_by(email: params[:email])
    if user&.authenticate(params[:password])
      user.regenerate_auth_token
      render json: { token: user.auth_token }
    else
      render json: { error: "Invalid email or password" }, status: :unauthorized
    end
  end

  def destroy
    @current_user.update!(auth_token: nil)
    head :no_content
  end
end

App.routes.draw do
  scope "api/v1/auth" do
    post "registro", to: "users#create"
    post "login", to: "sessions#create"
    get "perfil", to: "users#show"
    post "salir", to: "sessions#destroy"
  end
end

run App
