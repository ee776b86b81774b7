"""Operations on pixels: files, sizes, normalisation, inference, drawing."""
