// English, of the guide: loaded with it, since the first script has no room for more.

export const guide = {
  title: 'Guide',
  intro:
    'MXProof asks each address’s mail server whether the mailbox exists. It never sends a message, so no recipient notices.',
  todo: {
    title: 'What to do with each address',
    intro: 'Every list and every check ends in one of these words.',
    action: 'What to do',
    why: 'Because',
  },
  steps: {
    title: 'From your file to a file you can send to',
    all: [
      [
        'Choose your file',
        'on “New list”: CSV, Excel or text, or paste the addresses. It stays in your browser.',
      ],
      ['Review it.', 'You see what was found and what it costs. Nothing is charged before you start.'],
      [
        'Start checking.',
        'You can close the page. Most results are there within minutes; a few mail servers take hours.',
      ],
      [
        'Download the good rows:',
        'your own file, with the rows you can send to. The first real message to the others is the test: send to a few, and watch the bounces.',
      ],
    ],
  },
  cost: {
    title: 'What it costs',
    all: [
      'One credit for each different address. What cannot be an address is found before, and is free.',
      'An address without an answer is refunded. Trying it again costs a credit, which is refunded too if there is still no answer.',
      'Your credits are at the top of every page. Ask your operator for more.',
    ],
  },
  words: {
    title: 'The score',
    text: 'From 0 to 100: how confident we are that mail arrives and is wanted. An address without an answer has none. Go by what to do first; the score orders the addresses that you send to carefully.',
  },
  refusals: {
    title: 'What we do not sell',
    intro:
      'Some verifiers offer these. We do not, whatever the price, since they would cost the people on your list, or your own good name.',
    all: [
      [
        'Lists of spam traps and complainers',
        'A trap that can be looked up no longer works as one, and such lists are data about people who never agreed to them. Mail only those who asked for it.',
      ],
      [
        'Activity: when a person last opened or clicked',
        'It comes from watching people across other senders’ mail. You know best who reads yours.',
      ],
      [
        'Finders: addresses made up from names and companies',
        'Their owners never gave them to you. Ask for an address where people can give it.',
      ],
      [
        'Test messages and attempts to log in',
        'They reach or alarm people for nothing, and count against you. Addresses at Yahoo and AOL cannot be checked in advance for this reason.',
      ],
      [
        'Ways around a block',
        'A server that refuses us has answered. Its addresses end without an answer and are refunded.',
      ],
    ],
  },
  signIn: {
    title: 'Getting in',
    text: 'Open the link that an owner of your account or your operator sends you; it works once. Later, the sign-in page offers what this service is set up for: your company’s sign-in, a link by mail, or your API key. A session ends when you sign out, or after twelve hours without use.',
  },
  operators: {
    title: 'For operators',
    intro: 'On the machine of the service, where 1 is the account:',
    all: [
      ['mxproof account link 1', 'makes a link that signs a browser in, once'],
      ['mxproof key create 1', 'makes an API key'],
      ['mxproof credits add 1 1000', 'adds credits'],
    ],
  },
} as const;
