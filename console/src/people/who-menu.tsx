// What a session can be changed to: another account of the same person, the other side of this one, or none.
import '../design/overlay.css';
import './who-menu.css';
import type { OwnSession } from '@mxproof/client';
import { useMutation } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { Header, Menu, MenuItem, MenuSection, Popover, Separator, Text } from 'react-aria-components';
import { ProblemNotice } from '../design/notice.tsx';
import { whoMenu as text } from '../messages/en-people.ts';
import { messages } from '../messages/messages.ts';
import { leaveForSwitched } from '../shell/own-session.ts';
import { problemText } from '../shell/problem.ts';
import { switchTo } from './switch-session.ts';

const SIDES = ['live', 'test'] as const;

export function WhoMenu({
  trigger,
  session,
  onSignOut,
  onClose,
}: {
  readonly trigger: RefObject<HTMLElement | null>;
  readonly session: OwnSession;
  readonly onSignOut: () => void;
  readonly onClose: () => void;
}) {
  const { account_id: accountId, test, email, name, role, accounts } = session;
  const change = useMutation({ mutationFn: switchTo, onSuccess: leaveForSwitched });
  return (
    <Popover
      className="menu who-menu card"
      aria-label={text.title}
      triggerRef={trigger}
      placement="bottom end"
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <div className="who-menu-head">
        <p className="who-menu-name">{email ?? name}</p>
        {role && <p className="small soft">{messages.roles[role]}</p>}
      </div>
      {change.isError && <ProblemNotice>{problemText(change.error)}</ProblemNotice>}
      <Menu
        className="menu-items"
        aria-label={text.title}
        autoFocus="first"
        disabledKeys={change.isPending ? allKeys(session) : []}
        onAction={(key) => key === 'sign-out' && onSignOut()}
      >
        {accounts.length > 1 && (
          <MenuSection
            className="menu-section"
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[`account-${accountId}`]}
            onSelectionChange={(keys) => {
              const chosen = accounts.find((one) => new Set(keys).has(`account-${one.account_id}`));
              if (chosen && chosen.account_id !== accountId)
                change.mutate({ account_id: chosen.account_id, test: false });
            }}
          >
            <Header className="menu-header small soft">{text.accounts}</Header>
            {accounts.map((one) => (
              <MenuItem key={one.account_id} id={`account-${one.account_id}`} textValue={one.name}>
                <Text slot="label">{one.name}</Text>
                <Text slot="description" className="small soft">
                  {messages.roles[one.role]}
                </Text>
              </MenuItem>
            ))}
          </MenuSection>
        )}
        <MenuSection
          className="menu-section"
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[test ? 'test' : 'live']}
          onSelectionChange={(keys) => {
            const isTest = new Set(keys).has('test');
            if (isTest !== test) change.mutate({ test: isTest });
          }}
        >
          <Header className="menu-header small soft">{text.side}</Header>
          {SIDES.map((side) => (
            <MenuItem key={side} id={side} textValue={text[side]}>
              <Text slot="label">{text[side]}</Text>
              <Text slot="description" className="small soft">
                {text[`${side}Hint`]}
              </Text>
            </MenuItem>
          ))}
        </MenuSection>
        <Separator className="menu-separator" />
        <MenuItem id="sign-out">{messages.nav.signOut}</MenuItem>
      </Menu>
    </Popover>
  );
}

function allKeys({ accounts }: OwnSession): string[] {
  return [...SIDES, 'sign-out', ...accounts.map((one) => `account-${one.account_id}`)];
}
