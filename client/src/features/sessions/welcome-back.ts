import { showSuccess } from '../../ui/toasts/toast-store.ts';

export function welcomeBack(): void {
  showSuccess('Welcome back!', "You've been signed in successfully.");
}
