import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useRoute } from 'wouter';
import type { User } from '#shared/user';
import { useUser } from '../features/session/session-api.ts';
import { paths } from '../lib/paths.ts';
import { UNREACHABLE } from '../lib/api-client.ts';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { NavBar } from './nav-bar.tsx';
import { PageFrame } from './page-frame.tsx';
import { PublicHeader } from './public-header.tsx';
import { SignInFirst } from './sign-in-first.tsx';
import { useAccountEvents } from './use-account-events.ts';

// Each page is fetched when someone goes there.
const HomePage = lazy(async () => ({ default: (await import('../pages/home-page.tsx')).HomePage }));
const LandingPage = lazy(async () => ({ default: (await import('../pages/landing-page.tsx')).LandingPage }));
const AuthPage = lazy(async () => ({ default: (await import('../pages/auth-page.tsx')).AuthPage }));
const PetsPage = lazy(async () => ({ default: (await import('../pages/pets-page.tsx')).PetsPage }));
const GalleryPage = lazy(async () => ({ default: (await import('../pages/gallery-page.tsx')).GalleryPage }));
const RecentlyDeletedPage = lazy(async () => ({
  default: (await import('../pages/recently-deleted-page.tsx')).RecentlyDeletedPage,
}));
const TimelinePage = lazy(async () => ({
  default: (await import('../pages/timeline-page.tsx')).TimelinePage,
}));
const ContactsPage = lazy(async () => ({
  default: (await import('../pages/contacts-page.tsx')).ContactsPage,
}));
const AccountPage = lazy(async () => ({ default: (await import('../pages/account-page.tsx')).AccountPage }));
const ForgotPasswordPage = lazy(async () => ({
  default: (await import('../pages/forgot-password-page.tsx')).ForgotPasswordPage,
}));
const ResetPasswordPage = lazy(async () => ({
  default: (await import('../pages/reset-password-page.tsx')).ResetPasswordPage,
}));
const VerifyEmailPage = lazy(async () => ({
  default: (await import('../pages/verify-email-page.tsx')).VerifyEmailPage,
}));
const PhoneVerificationPage = lazy(async () => ({
  default: (await import('../pages/phone-verification-page.tsx')).PhoneVerificationPage,
}));
const FlipbookPage = lazy(async () => ({
  default: (await import('../pages/flipbook-page.tsx')).FlipbookPage,
}));
const NotFoundPage = lazy(async () => ({
  default: (await import('../pages/not-found-page.tsx')).NotFoundPage,
}));

export function Routes() {
  const { data: user, isPending, isFetching, refetch } = useUser();
  useAccountEvents(user?.id);
  // A book fills the screen.
  const [isBook] = useRoute(paths.flipbook);
  if (isPending) {
    return (
      <main>
        <LoadingScreen isPage />
      </main>
    );
  }
  if (user === undefined) {
    return (
      <main className="mx-auto max-w-xl px-5 py-32">
        <h1 className="sr-only">Mems Are Forever</h1>
        <FailureNotice onRetry={() => void refetch()} isRetrying={isFetching}>
          {UNREACHABLE}
        </FailureNotice>
      </main>
    );
  }
  return (
    <PageFrame header={user ? !isBook && <NavBar user={user} /> : <PublicHeader />}>
      <Suspense fallback={<LoadingScreen isPage />}>
        <Pages user={user} />
      </Suspense>
    </PageFrame>
  );
}

function Pages({ user }: { user: User | null }) {
  return (
    <Switch>
      <Route path={paths.home}>{user ? <HomePage user={user} /> : <LandingPage />}</Route>
      <Route path={paths.auth}>{user ? <Redirect to={paths.home} replace /> : <AuthPage />}</Route>
      <Route path={paths.pets}>{user ? <PetsPage /> : <SignInFirst />}</Route>
      <Route path={paths.gallery}>{user ? <GalleryPage user={user} /> : <SignInFirst />}</Route>
      <Route path={paths.recentlyDeleted}>{user ? <RecentlyDeletedPage /> : <SignInFirst />}</Route>
      <Route path={paths.timeline}>{user ? <TimelinePage user={user} /> : <SignInFirst />}</Route>
      <Route path={paths.contacts}>{user ? <ContactsPage user={user} /> : <SignInFirst />}</Route>
      <Route path={paths.account}>{user ? <AccountPage user={user} /> : <SignInFirst />}</Route>
      <Route path={paths.forgotPassword}>
        <ForgotPasswordPage user={user} />
      </Route>
      <Route path={paths.resetPassword}>
        <ResetPasswordPage />
      </Route>
      <Route path={paths.verifyEmail}>
        <VerifyEmailPage user={user} />
      </Route>
      <Route path={paths.phoneVerification}>
        {user ? <PhoneVerificationPage user={user} /> : <SignInFirst />}
      </Route>
      <Route path={paths.flipbook}>
        {({ bookId }) => (user ? <FlipbookPage key={bookId} bookId={bookId} /> : <SignInFirst />)}
      </Route>
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}
