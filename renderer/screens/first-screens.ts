import type { WindowState } from '../../preload/contract/models.ts';
import { lazyComponent } from '../components/lazy-component.tsx';

// One of these is what a start shows first. It is loaded before the first frame, and the others once that is painted.

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

/** Loads what the next press may show. */
export async function preloadOtherScreens(): Promise<void> {
  await Promise.all([LoginScreen, ProfileScreen, RegisterScreen, LockedScreen].map((part) => part.preload()));
}
