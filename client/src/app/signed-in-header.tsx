import { CircleUserRound, Menu, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useRoute } from 'wouter';
import type { User } from '#shared/accounts/user';
import { LogoutButton } from '../features/sessions/logout-button.tsx';
import { useThemeChoice } from '../lib/browser/theme.ts';
import { classNames } from '../lib/class-names.ts';
import { paths } from '../lib/routing/paths.ts';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Menu as DropdownMenu } from '../ui/menus/menu.tsx';
import { TooltipLayer } from '../ui/tooltip-layer.tsx';
import { useEvents } from './events/use-events.ts';
import { themes, ThemeSwitch, Wordmark } from './public-header.tsx';

const links = [
  { href: paths.home, name: 'Home' },
  { href: paths.pets, name: 'My Pets' },
  { href: paths.gallery, name: 'Gallery' },
  { href: paths.timeline, name: 'Timeline' },
  { href: paths.contacts, name: 'Contacts' },
];

/** Not in the script of visitors: page-html.ts links it with a session. */
export function SignedInHeader({ user }: { user: User }) {
  useEvents(user.id);
  // A flipbook fills the screen.
  const [isFlipbook] = useRoute(paths.flipbook);
  return (
    <>
      {!isFlipbook && <NavBar user={user} />}
      <TooltipLayer />
    </>
  );
}

function NavBar({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const shownLinks = user.isAdmin ? [...links, { href: paths.admin, name: 'People' }] : links;
  const MenuIcon = isOpen ? X : Menu;
  return (
    <header className="border-b border-hairline">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-8 px-5 py-2 sm:px-8 lg:flex-nowrap lg:py-3 lg:max-xl:gap-x-5">
        <Wordmark />
        <IconButton
          name="Menu"
          aria-expanded={isOpen}
          aria-controls="menu"
          tone="ink"
          onClick={() => setOpen(!isOpen)}
          className="-mr-2 lg:hidden"
        >
          <MenuIcon className="size-6" />
        </IconButton>
        <div
          id="menu"
          className={classNames(
            'w-full flex-col gap-5 pt-3 pb-4 lg:flex lg:w-auto lg:min-w-0 lg:flex-1 lg:flex-row lg:items-center lg:justify-between lg:py-0',
            isOpen ? 'flex' : 'hidden',
          )}
        >
          <nav aria-label="Main" className="shrink-0">
            <ul className="flex flex-col gap-x-6 lg:flex-row lg:max-xl:gap-x-5">
              {shownLinks.map(({ href, name }) => (
                <li key={href}>
                  <NavLink
                    href={href}
                    onChoose={close}
                    className="font-semibold text-muted hover:text-ink aria-[current=page]:text-ink"
                  >
                    {name}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
          <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-4 lg:min-w-0 lg:flex-nowrap lg:gap-x-3">
            <AccountMenu />
            <p className="max-w-full min-w-0 max-lg:w-full lg:max-w-64">
              <NavLink
                href={paths.account}
                title="Your account"
                onChoose={close}
                className="max-w-full gap-2 align-bottom hover:border-hairline"
              >
                <CircleUserRound className="shrink-0 lg:hidden" />
                <span className="truncate">Welcome, {user.firstName || user.username}!</span>
              </NavLink>
            </p>
            <div className="lg:hidden">
              <ThemeSwitch />
            </div>
            <LogoutButton />
          </div>
        </div>
      </div>
    </header>
  );
}

/** On phones its items are in the menu of the whole header. */
function AccountMenu() {
  const [theme, chooseTheme] = useThemeChoice();
  const [, navigate] = useLocation();
  const items = [
    { name: 'Your account', Icon: CircleUserRound, onChoose: () => navigate(paths.account) },
    {
      label: 'Theme',
      choices: themes.map(({ value, ...item }) => ({
        ...item,
        isChecked: value === theme,
        onChoose: () => chooseTheme(value),
      })),
    },
  ];
  return (
    <DropdownMenu
      label="Account menu"
      Icon={CircleUserRound}
      tone="ink"
      items={items}
      className="-mr-2 max-lg:hidden"
    />
  );
}

interface NavLinkProps {
  href: string;
  title?: string;
  onChoose: () => void;
  className: string;
  children: ReactNode;
}

function NavLink({ onChoose, className, ...link }: NavLinkProps) {
  const [isActive] = useRoute(link.href);
  return (
    <Link
      {...link}
      onClick={onChoose}
      aria-current={isActive ? 'page' : undefined}
      className={classNames(
        'inline-flex min-h-11 items-center border-b-2 border-transparent aria-[current=page]:border-accent',
        className,
      )}
    />
  );
}
