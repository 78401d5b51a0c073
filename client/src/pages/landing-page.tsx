import { Link } from 'wouter';
import type { Registration } from '#shared/api/app-config';
import { useRegistration } from '../features/app-config/app-config-api.ts';
import { AlbumIllustration } from '../features/landing/album-illustration.tsx';
import { RegistrationNote } from '../features/sessions/registration-note.tsx';
import { classNames } from '../lib/class-names.ts';
import { paths } from '../lib/routing/paths.ts';
import { usePageTitle } from '../lib/routing/use-page-title.ts';
import { buttonClasses } from '../ui/buttons/button.tsx';

const signUp = { tab: 'sign-up' };

const features = [
  {
    name: 'Phone Integration',
    text: 'Send photos by text or email to your own unique address, straight from the walk. They are in your album before you are home.',
  },
  {
    name: 'Timeline View',
    text: 'From the first wobbly steps to the gray muzzle: every memory in its place, in the order life happened.',
  },
  {
    name: 'Personal Collection',
    text: 'All their photos in one quiet place that is yours alone, with the stories you write beside them.',
  },
];

export function LandingPage() {
  usePageTitle();
  const registration = useRegistration();
  return (
    <>
      <Hero registration={registration} />
      <Features />
      {registration === 'open' && <Closing />}
    </>
  );
}

function Hero({ registration }: { registration: Registration | undefined }) {
  return (
    <section className="mx-auto grid max-w-6xl items-center gap-x-10 gap-y-8 px-5 pt-6 pb-16 sm:px-8 lg:grid-cols-[1.2fr_1fr] lg:pt-10 lg:pb-24">
      <div>
        <h1 className="max-w-[13ch] text-display">Their memories, beautifully preserved</h1>
        <p className="mt-5 max-w-md text-lead text-muted">
          A scrapbook for the animals and people you love. The photos, the stories, the years: kept together,
          and kept for good.
        </p>
        {/* Keeps its place while it is not known whether everyone can register. */}
        <div className={classNames('mt-8 flex flex-wrap gap-3', !registration && 'invisible')}>
          {(!registration || registration === 'open') && (
            <Link href={paths.auth} state={signUp} className={buttonClasses({ className: 'max-sm:w-full' })}>
              Get Started
            </Link>
          )}
          <Link
            href={paths.auth}
            className={buttonClasses({
              ...(registration === 'open' && { variant: 'secondary' }),
              className: 'max-sm:w-full',
            })}
          >
            Sign In
          </Link>
        </div>
        {registration && (
          <RegistrationNote registration={registration} className="mt-5 max-w-md text-pretty text-muted" />
        )}
      </div>
      <AlbumIllustration className="mx-auto w-full max-w-xl" />
    </section>
  );
}

function Features() {
  return (
    <section aria-label="Features" className="mx-auto max-w-6xl px-5 sm:px-8">
      {features.map(({ name, text }) => (
        <div
          key={name}
          className="grid gap-x-10 gap-y-2 border-t border-hairline py-8 sm:grid-cols-[1fr_1.4fr] sm:py-10"
        >
          <h2 className="text-title">{name}</h2>
          <p className="max-w-prose text-lead text-muted">{text}</p>
        </div>
      ))}
    </section>
  );
}

function Closing() {
  return (
    <section className="mx-auto max-w-6xl px-5 sm:px-8">
      <div className="flex flex-col items-center border-t border-hairline py-20 text-center sm:py-28">
        <h2 className="max-w-[18ch] text-display">Start with one photo</h2>
        <p className="mt-4 max-w-md text-lead text-muted">
          Join thousands of users who keep the memories of their pets here.
        </p>
        <Link href={paths.auth} state={signUp} className={buttonClasses({ className: 'mt-8' })}>
          Create Your Account
        </Link>
      </div>
    </section>
  );
}
