// As Nest's documents do it: a ValidationPipe over class-validator, Nest's own exceptions, a guard, and a JwtModule whose
// token lives sixty seconds. The profile is what the token says, as in the chapter on authentication.
// After https://docs.nestjs.com/security/authentication and https://docs.nestjs.com/techniques/validation
import 'reflect-metadata';
import {
  Body,
  ConflictException,
  Controller,
  Get,
  HttpCode,
  HttpStatus,
  Injectable,
  Module,
  Post,
  Request,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { JwtModule, JwtService } from '@nestjs/jwt';
import bcrypt from 'bcryptjs';
import { IsEmail, IsNotEmpty, IsString, MinLength } from 'class-validator';

type User = { id: number; name: string; email: string; password: string };
type Asked = { headers: { authorization?: string }; user?: object };

class CreateUserDto {
  @IsString()
  @IsNotEmpty()
  name!: string;

  @IsEmail()
  email!: string;

  @IsString()
  @MinLength(8)
  password!: string;

  @IsString()
  cpassword!: string;
}

class SignInDto {
  @IsEmail()
  email!: string;

  @IsString()
  password!: string;
}

@Injectable()
class UsersService {
  private readonly users: User[] = [];

  findOne(email: string): User | undefined {
    return this.users.find((user) => user.email === email);
  }

  async create({ name, email, password }: CreateUserDto) {
    if (this.findOne(email)) throw new ConflictException('Email already exists');
    const user = { id: this.users.length + 1, name, email, password: await bcrypt.hash(password, 10) };
    this.users.push(user);
    return { id: user.id, name, email };
  }
}

@Injectable()
class AuthService {
  constructor(
    private usersService: UsersService,
    private jwtService: JwtService,
  ) {}

  async signIn({ email, password }: SignInDto): Promise<{ access_token: string }> {
    const user = this.usersService.findOne(email);
    if (!user || !(await bcrypt.compare(password, user.password))) throw new UnauthorizedException();
    return { access_token: await this.jwtService.signAsync({ sub: user.id, email: user.email }) };
  }
}

@Injectable()
class AuthGuard implements CanActivate {
  constructor(private jwtService: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request: Asked = context.switchToHttp().getRequest();
    const [type, token] = request.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer' || !token) throw new UnauthorizedException();
    try {
      request.user = await this.jwtService.verifyAsync(token);
    } catch {
      throw new UnauthorizedException();
    }
    return true;
  }
}

@Controller('api/v1/auth')
class AuthController {
  constructor(
    private authService: AuthService,
    private usersService: UsersService,
  ) {}

  @Post('register')
  register(@Body() user: CreateUserDto) {
    return this.usersService.create(user);
  }

  @HttpCode(HttpStatus.OK)
  @Post('login')
  signIn(@Body() signIn: SignInDto) {
    return this.authService.signIn(signIn);
  }

  @UseGuards(AuthGuard)
  @Get('perfil')
  getProfile(@Request() request: Asked) {
    return request.user;
  }

  /** A signed token is valid until it ends; the client is to forget it. */
  @UseGuards(AuthGuard)
  @HttpCode(HttpStatus.NO_CONTENT)
  @Post('salir')
  signOut() {}
}

@Module({
  imports: [JwtModule.register({ global: true, secret: 'this is a secret', signOptions: { expiresIn: '60s' } })],
  controllers: [AuthController],
  providers: [AuthService, UsersService],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
app.useGlobalPipes(new ValidationPipe());
await app.listen(Number(process.env['PORT']), '127.0.0.1');
