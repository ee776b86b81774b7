"""Training samples: labelled pictures and crops, their augmentation and their labels."""
