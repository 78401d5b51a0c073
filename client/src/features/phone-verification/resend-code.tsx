import { useEffect, useId, useState } from 'react';
import { RESEND_AFTER_SECONDS } from '#shared/text/phone';
import { classNames } from '../../lib/class-names.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { type SentCode, useSendVerificationCode } from './use-send-verification-code.ts';

interface ResendCodeProps {
  sentCode: SentCode;
  onResent: (sentCode: SentCode) => void;
}

/** Enabled after RESEND_AFTER_SECONDS: most messages arrive before. */
export function ResendCode({ sentCode, onResent }: ResendCodeProps) {
  const { sendCode, isSending } = useSendVerificationCode();
  const waitId = useId();
  const seconds = useSecondsLeft(sentCode.sentAt);
  const resend = async () => {
    const newCode = await sendCode(sentCode.sentTo);
    if (newCode) onResent(newCode);
  };
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-small text-muted">
      <span>Didn’t get the code?</span>
      <Button
        variant="quiet"
        isPending={isSending}
        pendingText="Sending..."
        aria-disabled={seconds > 0}
        aria-describedby={seconds > 0 ? waitId : undefined}
        onClick={() => void (seconds === 0 && resend())}
        size="small"
        className={classNames('px-1', seconds > 0 && 'cursor-default opacity-60')}
      >
        Send again
      </Button>
      {seconds > 0 && (
        <span id={waitId} className="tabular-nums">
          in {seconds} s
        </span>
      )}
    </p>
  );
}

function useSecondsLeft(sentAt: number): number {
  const [now, setNow] = useState(sentAt);
  const left = Math.ceil(RESEND_AFTER_SECONDS - (now - sentAt) / 1000);
  const seconds = Math.min(Math.max(left, 0), RESEND_AFTER_SECONDS);
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [sentAt, isOver]);
  return seconds;
}
