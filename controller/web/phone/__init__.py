"""A phone as camera: a certificate of this machine, a page over https for the phone, and the way of its pictures."""
