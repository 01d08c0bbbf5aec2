/** The two companies of the demo, and what their agents work on. */

export const PEOPLE = [
  'Ms Adeyemi',
  'Mr Castellanos',
  'Dr Novak',
  'Ms Lindgren',
  'Mr Oyelaran',
  'Ms Takahashi',
  'Mr Haddad',
  'Ms Moreau',
  'Mr Fitzgerald',
  'Ms Kowalczyk',
  'Mr Banerjee',
  'Ms Sørensen',
] as const;

export const PRODUCTS = [
  'standing desk',
  'espresso machine',
  'office chair',
  'label printer',
  'noise-cancelling headset',
  '27-inch monitor',
  'air purifier',
  'projector',
  'docking station',
  'barcode scanner',
] as const;

/** `{order}`, `{product}`, `{person}` and `{invoice}` are filled in. */
export const TICKETS = [
  {
    queue: 'support',
    subject: 'Delivery of order {order} is two days late',
    body: '{person} expected the {product} on Monday. The carrier shows it in the depot since then.',
  },
  {
    queue: 'support',
    subject: 'Wrong article in order {order}',
    body: '{person} ordered the {product} in black and received it in white. The box is unopened.',
  },
  {
    queue: 'billing',
    subject: 'Duplicate charge on invoice {invoice}',
    body: 'The bank statement of {person} shows the amount twice on the same day. Please check both entries.',
  },
  {
    queue: 'billing',
    subject: 'VAT number missing on invoice {invoice}',
    body: '{person} cannot book the invoice for the {product} without the VAT number of the company.',
  },
  {
    queue: 'returns',
    subject: 'Return label for order {order}',
    body: '{person} sends the {product} back within the 30 days and asks for a label by e-mail.',
  },
  {
    queue: 'returns',
    subject: 'Damaged on arrival: {product}, order {order}',
    body: 'One corner of the case is broken. {person} sent three photos and asks for a replacement.',
  },
  {
    queue: 'support',
    subject: 'Firmware update of the {product} fails at 80 %',
    body: '{person} tried over cable and over Wi-Fi. Serial number and log are attached to the conversation.',
  },
  {
    queue: 'sales',
    subject: 'Quote for 40 more units after order {order}',
    body: '{person} is content with the {product} and wants a volume price before the end of the month.',
  },
  {
    queue: 'support',
    subject: 'Address change for order {order} before dispatch',
    body: 'The office of {person} moves on the 1st. The {product} should go to the new address.',
  },
  {
    queue: 'billing',
    subject: 'Payment plan for invoice {invoice}',
    body: '{person} asks to pay for the {product} in three parts and has been a customer since 2019.',
  },
] as const;

export const MESSAGES = [
  {
    template: 'order_shipped',
    text: 'Hello {person}, your {product} (order {order}) has left our warehouse and arrives on Thursday.',
  },
  {
    template: 'delivery_delayed',
    text: 'Hello {person}, the {product} of order {order} arrives one day later than planned. We are sorry.',
  },
  {
    template: 'pickup_ready',
    text: 'Hello {person}, the {product} of order {order} is ready at the counter, Monday to Friday, 9 to 18.',
  },
  {
    template: 'payment_reminder',
    text: 'Hello {person}, invoice {invoice} was due on Friday. If you have paid already, thank you.',
  },
  {
    template: 'technician_booked',
    text: 'Hello {person}, our technician comes for the {product} tomorrow between 8 and 10.',
  },
  {
    template: 'refund_confirmed',
    text: 'Hello {person}, the refund for the {product} is on its way to your card.',
  },
] as const;

export const REFUND_REASONS = [
  'Returned within 30 days, unopened',
  'Damaged on arrival, no replacement wanted',
  'Charged twice for one order',
  'Delivered after the promised date',
  'Price difference, best-price promise',
  'Cancelled before dispatch',
] as const;

/** Ofcom keeps these numbers for stories. */
export const PHONE_PREFIX = '+44 7700 900';

/** The agent whose rights the policy takes away after a while. */
export const REVOKED_ACTOR = 'agent:outreach-2';
