import { useEffect } from 'react';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { leaveForSignIn } from './leave-for-sign-in.ts';

/** What someone signed out sees of a screen that is for the signed-in. */
export function SignInFirst() {
  useEffect(() => leaveForSignIn(), []);
  return <LoadingScreen isPage />;
}
