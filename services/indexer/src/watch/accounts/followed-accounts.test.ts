import { anyAddress } from '@lending/fakes';
import { describe, expect, it, vi } from 'vitest';
import { createFollowedAccounts } from './followed-accounts.ts';

const [OWNER, OTHER, ACCOUNT, SECOND] = [anyAddress(1), anyAddress(2), anyAddress(3), anyAddress(4)];

describe('createFollowedAccounts', () => {
  it('wants everything in scope all, and what is asked for on demand', () => {
    const onNew = vi.fn();
    expect(createFollowedAccounts('all', onNew).isWanted(ACCOUNT, OWNER)).toBe(true);
    const followed = createFollowedAccounts('on-demand', onNew);
    expect(followed.isWanted(ACCOUNT, OWNER)).toBe(false);
    followed.follow(ACCOUNT);
    expect(followed.isWanted(ACCOUNT, OWNER)).toBe(true);
    expect(onNew).not.toHaveBeenCalled();
  });

  it('takes up a new account of a followed authority, and says so once', () => {
    const onNew = vi.fn();
    const followed = createFollowedAccounts('on-demand', onNew);
    followed.follow(OWNER);
    followed.found(OWNER, [ACCOUNT]);
    expect(followed.isWanted(SECOND, OWNER)).toBe(true);
    expect(followed.isWanted(SECOND, OWNER)).toBe(true);
    expect(followed.isWanted(ACCOUNT, OWNER)).toBe(true);
    expect(onNew.mock.calls).toEqual([[OWNER, SECOND]]);
    expect(followed.accounts()).toEqual([ACCOUNT, SECOND]);
  });

  it('goes on with an account whose authority changed, and that is closed', () => {
    const followed = createFollowedAccounts('on-demand', () => undefined);
    followed.follow(OWNER);
    followed.found(OWNER, [ACCOUNT]);
    expect(followed.isWanted(ACCOUNT, OTHER)).toBe(true);
    expect(followed.isWanted(ACCOUNT, null)).toBe(true);
  });

  it('lets go of an account when the last who asked for it is gone', () => {
    const followed = createFollowedAccounts('on-demand', () => undefined);
    followed.follow(OWNER);
    followed.follow(ACCOUNT);
    followed.found(OWNER, [ACCOUNT]);
    followed.found(ACCOUNT, [ACCOUNT]);
    expect(followed.unfollow(OWNER)).toEqual([]);
    expect(followed.accounts()).toEqual([ACCOUNT]);
    expect(followed.isWanted(ACCOUNT, OWNER)).toBe(true);
    expect(followed.unfollow(ACCOUNT)).toEqual([ACCOUNT]);
    expect(followed.isWanted(ACCOUNT, OWNER)).toBe(false);
    expect(followed.accounts()).toEqual([]);
  });
});
