'use client';
import { LogOut } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Tooltip } from '../ui/tooltip.tsx';

/** Ends this session. A plain form, so that it works whatever else does not. */
export function SignOut({ withWord = false }: { withWord?: boolean }) {
  return (
    <form method="post" action="/api/auth/sign-out">
      {withWord ? (
        <Button submits>Sign out</Button>
      ) : (
        <Tooltip text="Sign out">
          <Button submits look="quiet" aria-label="Sign out" className="w-7 px-0 hover:bg-raised">
            <LogOut size={14} aria-hidden="true" className="rtl:-scale-x-100" />
          </Button>
        </Tooltip>
      )}
    </form>
  );
}
