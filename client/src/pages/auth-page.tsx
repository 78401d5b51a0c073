import { CalendarHeart, Images, PawPrint } from 'lucide-react';
import { useState } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { SignInForm, SignUpForm } from '../features/sessions/auth-forms.tsx';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Tabs } from '../ui/tabs.tsx';

const features = [
  { Icon: Images, text: 'Upload photos and memories' },
  { Icon: PawPrint, text: 'Organize by pets and dates' },
  { Icon: CalendarHeart, text: 'Create lasting memory timelines' },
];

const tabs = {
  'sign-in': { page: 'Sign in', heading: 'Open your album' },
  'sign-up': { page: 'Sign up', heading: 'Start your album' },
};

export function AuthPage() {
  // The landing page's 'Get Started' asks for the sign-up tab.
  const state = useHistoryState<{ tab?: 'sign-up' } | null>();
  const [tab, setTab] = useState<keyof typeof tabs>(state?.tab ?? 'sign-in');
  usePageTitle(tabs[tab].page);
  return (
    <div className="mx-auto grid max-w-5xl gap-x-20 gap-y-14 px-5 py-8 sm:px-8 lg:grid-cols-2 lg:items-start lg:py-20">
      <div className="mx-auto w-full max-w-md">
        <h1 className="mb-6 text-title">{tabs[tab].heading}</h1>
        <Tabs
          label="Sign in or sign up"
          tab={tab}
          onChoose={setTab}
          tabs={[
            { name: 'sign-in', title: 'Sign In', content: <SignInForm /> },
            { name: 'sign-up', title: 'Sign Up', content: <SignUpForm /> },
          ]}
        />
      </div>
      <aside className="mx-auto w-full max-w-md border-t border-hairline pt-10 lg:border-t-0 lg:border-l lg:pt-0 lg:pl-16">
        <h2 className="text-display">Cherish Every Moment</h2>
        <ul className="mt-8 space-y-5 text-lead">
          {features.map(({ Icon, text }) => (
            <li key={text} className="flex items-center gap-4">
              <Icon className="size-6 shrink-0 text-accent" />
              {text}
            </li>
          ))}
        </ul>
      </aside>
    </div>
  );
}
