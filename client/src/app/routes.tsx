import { lazy, Suspense, useEffect, type FunctionComponent } from 'react';
import { Redirect, Route, Switch, useRoute } from 'wouter';
import type { User } from '#shared/user';
import { useUser } from '../features/users/current-user.ts';
import { UNREACHABLE } from '../lib/api-client.ts';
import { paths } from '../lib/paths.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { NavBar, PublicHeader } from './header.tsx';
import { redirectToSignIn } from './redirect-to-sign-in.ts';
import { PageLayout } from './page-layout.tsx';
import { useEvents } from './events/use-events.ts';

function page<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, FunctionComponent<Props>>>,
  name: Name,
  path?: string,
) {
  // The first page, without waiting for the user's response.
  if (path === window.location.pathname) void load().catch(() => undefined);
  return lazy(async () => ({ default: (await load())[name] }));
}

const HomePage = page(() => import('../pages/home-page.tsx'), 'HomePage');
const LandingPage = page(() => import('../pages/landing-page.tsx'), 'LandingPage');
const AuthPage = page(() => import('../pages/auth-page.tsx'), 'AuthPage', paths.auth);
const PetsPage = page(() => import('../pages/pets-page.tsx'), 'PetsPage', paths.pets);
const GalleryPage = page(() => import('../pages/gallery-page.tsx'), 'GalleryPage', paths.gallery);
const RecentlyDeletedPage = page(() => import('../pages/recently-deleted-page.tsx'), 'RecentlyDeletedPage');
const TimelinePage = page(() => import('../pages/timeline-page.tsx'), 'TimelinePage', paths.timeline);
const ContactsPage = page(() => import('../pages/contacts-page.tsx'), 'ContactsPage');
const AccountPage = page(() => import('../pages/account-page.tsx'), 'AccountPage');
const AdminPage = page(() => import('../pages/admin-page.tsx'), 'AdminPage');
const ForgotPasswordPage = page(() => import('../pages/forgot-password-page.tsx'), 'ForgotPasswordPage');
const ResetPasswordPage = page(() => import('../pages/reset-password-page.tsx'), 'ResetPasswordPage');
const VerifyEmailPage = page(() => import('../pages/verify-email-page.tsx'), 'VerifyEmailPage');
const NotMePage = page(() => import('../pages/not-me-page.tsx'), 'NotMePage');
const StartAgainPage = page(() => import('../pages/start-again-page.tsx'), 'StartAgainPage');
const PhoneVerificationPage = page(
  () => import('../pages/phone-verification-page.tsx'),
  'PhoneVerificationPage',
);
const FlipbookPage = page(() => import('../pages/flipbook-page.tsx'), 'FlipbookPage');
const NotFoundPage = page(() => import('../pages/not-found-page.tsx'), 'NotFoundPage');

export function Routes() {
  const { data: user, isPending, isFetching, refetch } = useUser();
  useEvents(user?.id);
  // A flipbook fills the screen.
  const [isFlipbook] = useRoute(paths.flipbook);
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
        <ErrorNotice onRetry={() => void refetch()} isRetrying={isFetching}>
          {UNREACHABLE}
        </ErrorNotice>
      </main>
    );
  }
  return (
    <PageLayout header={user ? !isFlipbook && <NavBar user={user} /> : <PublicHeader />}>
      <Suspense fallback={<LoadingScreen isPage />}>
        <Pages user={user} />
      </Suspense>
    </PageLayout>
  );
}

function Pages({ user }: { user: User | null }) {
  return (
    <Switch>
      <Route path={paths.home}>{user ? <HomePage user={user} /> : <LandingPage />}</Route>
      <Route path={paths.auth}>{user ? <Redirect to={paths.home} replace /> : <AuthPage />}</Route>
      <Route path={paths.pets}>{user ? <PetsPage /> : <RedirectToSignIn />}</Route>
      <Route path={paths.gallery}>{user ? <GalleryPage user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.recentlyDeleted}>{user ? <RecentlyDeletedPage /> : <RedirectToSignIn />}</Route>
      <Route path={paths.timeline}>{user ? <TimelinePage user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.contacts}>{user ? <ContactsPage user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.account}>{user ? <AccountPage user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.admin}>{user ? <AdminOnly user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.forgotPassword}>
        <ForgotPasswordPage user={user} />
      </Route>
      <Route path={paths.resetPassword}>
        <ResetPasswordPage />
      </Route>
      <Route path={paths.verifyEmail}>
        <VerifyEmailPage user={user} />
      </Route>
      <Route path={paths.notMe}>
        <NotMePage />
      </Route>
      <Route path={paths.startAgain}>
        <StartAgainPage />
      </Route>
      <Route path={paths.phoneVerification}>
        {user ? <PhoneVerificationPage user={user} /> : <RedirectToSignIn />}
      </Route>
      <Route path={paths.flipbook}>
        {({ bookId }) => (user ? <FlipbookPage key={bookId} bookId={bookId} /> : <RedirectToSignIn />)}
      </Route>
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}

function AdminOnly({ user }: { user: User }) {
  return user.isAdmin ? <AdminPage user={user} /> : <NotFoundPage />;
}

function RedirectToSignIn() {
  useEffect(() => redirectToSignIn(), []);
  return <LoadingScreen isPage />;
}
