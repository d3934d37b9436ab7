import type { WindowState } from '../../preload/contract/models.ts';
import { lazyComponent } from '../components/lazy-component.tsx';

// One of these is shown first after a start. It is loaded before the first frame, and the others after that is painted.

export const Welcome = lazyComponent(async () => (await import('./welcome/welcome.tsx')).Welcome);
export const LoginScreen = lazyComponent(async () => (await import('./account/login/login-screen.tsx')).LoginScreen);
export const RegisterScreen = lazyComponent(
  async () => (await import('./account/register/register-screen.tsx')).RegisterScreen,
);
export const ProfileScreen = lazyComponent(
  async () => (await import('./account/profile/profile-screen.tsx')).ProfileScreen,
);
export const LockedScreen = lazyComponent(async () => (await import('./locked/locked-screen.tsx')).LockedScreen);

export async function preloadFirstScreen(state: WindowState | undefined): Promise<void> {
  if (state) await firstScreen(state).preload();
}

function firstScreen(state: WindowState) {
  if (state.locked) return LockedScreen;
  if (!state.settings.welcomed) return Welcome;
  return state.session.step === 'signed-out' ? LoginScreen : ProfileScreen;
}

/** Loads the screens that the next click may show. */
export async function preloadOtherScreens(): Promise<void> {
  await Promise.all([LoginScreen, ProfileScreen, RegisterScreen, LockedScreen].map((part) => part.preload()));
}
