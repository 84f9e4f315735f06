"""What may be said of a gap: differences without a curve, tests of fit, ranks and no gap."""
