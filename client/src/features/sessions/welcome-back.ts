import { showToast } from '../../ui/toasts/toast-store.ts';

export function welcomeBack(): void {
  showToast({
    title: 'Welcome back!',
    description: "You've been signed in successfully.",
    variant: 'success',
  });
}
