import { describe, expect, it } from 'vitest';
import { channels, eventNames } from '../../preload/contract/channels.ts';
import { contract } from '../../preload/contract/contract.ts';
import { events } from '../../preload/contract/events.ts';

describe('the channel lists', () => {
  it('name exactly the calls of the contract', () => {
    const listed = Object.fromEntries(Object.entries(channels).map(([group, names]) => [group, [...names].toSorted()]));
    const declared = Object.fromEntries(
      Object.entries(contract).map(([group, calls]) => [group, Object.keys(calls).toSorted()]),
    );
    expect(listed).toEqual(declared);
  });

  it('name exactly the events', () => {
    expect([...eventNames]).toEqual(Object.keys(events));
  });
});
