import { useId } from 'react';
import { Link } from 'wouter';
import { paths } from '../../lib/routing/paths.ts';
import { buttonClasses } from '../../ui/buttons/button.tsx';
import { LetterIllustration } from '../../ui/letter-illustration.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ShareList } from './share-list.tsx';

const tabs = [
  {
    audience: 'anyone' as const,
    title: 'Made by you',
    heading: 'Nothing shared yet',
    text: 'Open a memory and press Share. Its link will appear here.',
    href: paths.gallery,
    action: 'Go to your gallery',
  },
  {
    audience: 'contact' as const,
    title: 'Sent in emails',
    heading: 'No links in emails yet',
    text: 'Each email to your contacts has a link to its photo. Those links will appear here.',
    href: paths.contacts,
    action: 'Go to your contacts',
  },
];

/** The user's public links, with buttons to stop sharing. */
export function SharesSection() {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-10 sm:mt-14">
      <h2 id={id} className="text-title">
        Shared links
      </h2>
      <p className="mt-1 mb-4 max-w-2xl text-small text-muted">
        Anyone with a link can see that one photo and its caption, without an account, until you stop sharing
        it.
      </p>
      <Tabs
        isFocusFallback
        label="Which links"
        tab="anyone"
        tabs={tabs.map(({ audience, title, ...empty }) => ({
          name: audience,
          title,
          content: <ShareList audience={audience} empty={<NoLinks {...empty} />} />,
        }))}
      />
    </section>
  );
}

function NoLinks({ heading, text, href, action }: Omit<(typeof tabs)[number], 'audience' | 'title'>) {
  return (
    <div className="flex flex-col items-center gap-6 py-10 text-center">
      <LetterIllustration />
      <div>
        <h3 className="text-lead font-medium">{heading}</h3>
        <p className="mt-1 max-w-sm text-balance text-muted">{text}</p>
      </div>
      <Link href={href} className={buttonClasses({ variant: 'secondary' })}>
        {action}
      </Link>
    </div>
  );
}
