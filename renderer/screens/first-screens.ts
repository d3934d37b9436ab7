import type { WindowState } from '../../preload/contract/models.ts';
import { lazyComponent } from '../components/lazy-component.tsx';

// One of these is what a start shows first. It is read before the first frame, and the others once that is painted.

export const Welcome = lazyComponent(async () => (await import('./welcome/welcome.tsx')).Welcome);
export const LoginScreen = lazyComponent(async () => (await import('./account/login/login-screen.tsx')).LoginScreen);
export const RegisterScreen = lazyComponent(
  async () => (await import('./account/register/register-screen.tsx')).RegisterScreen,
);
export const ProfileScreen = lazyComponent(
  async () => (await import('./account/profile/profile-screen.tsx')).ProfileScreen,
);
export const LockedScreen = lazyComponent(async () => (await import('./locked/locked-screen.tsx')).LockedScreen);

/** Reads what a start shows first. */
export async function readFirstScreen(state: WindowState | undefined): Promise<void> {
  if (state) await partOf(state).read();
}

function partOf(state: WindowState) {
  if (state.locked) return LockedScreen;
  if (!state.settings.welcomed) return Welcome;
  return state.session.step === 'signed-out' ? LoginScreen : ProfileScreen;
}

/** Reads the screens that a person may come to with the next press. */
export async function readOtherScreens(): Promise<void> {
  await Promise.all([LoginScreen, ProfileScreen, RegisterScreen, LockedScreen].map((part) => part.read()));
}
