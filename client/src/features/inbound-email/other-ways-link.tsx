import { Link } from 'wouter';
import { paths } from '../../lib/paths.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { useAppConfig } from '../app-config/app-config-api.ts';

/** For who looks for the ways that need no form. Its place is kept until it is known which there are. */
export function OtherWaysLink() {
  const { data: config, isPending } = useAppConfig();
  const ways = [config?.phoneNumber && 'text', config?.inboundEmailEnabled && 'email'].filter(Boolean);
  if (ways.length === 0) return isPending && <div className="h-11" />;
  return (
    <Link href={paths.phoneVerification} className={buttonClasses({ variant: 'quiet', className: 'w-full' })}>
      Add by {ways.join(' or ')}
    </Link>
  );
}
