(** * Sums and products with NULL, multiplied out

    A sum or a product is NULL where one of its atoms is no number, and else the value of a polynomial in these. So two terms
    with the same atoms and the same polynomial have the same value, whatever the atoms are. *)
From Tallystick.core Require Export Normal Reorder.
Open Scope nat_scope.

(** A coefficient, and the atoms that are multiplied. *)
Definition monomial := (Qc * list term)%type.
Definition times (m n : monomial) : monomial := ((fst m * fst n)%Qc, snd m ++ snd n).
Fixpoint multiplied (t : term) : list monomial := match t with
  | Apply (Scalar SPlus) (Tc a (Tc b Tn)) => multiplied a ++ multiplied b
  | Apply (Scalar STimes) (Tc a (Tc b Tn)) => flat_map (fun m => map (times m) (multiplied b)) (multiplied a)
  | Apply (Lit (Number q)) Tn => [(q, [])]
  | _ => [(whole 1, [t])] end.
Fixpoint factors (t : term) : list term := match t with
  | Apply (Scalar (SPlus | STimes)) (Tc a (Tc b Tn)) => factors a ++ factors b
  | Apply (Lit (Number _)) Tn => []
  | _ => [t] end.
Definition calculates (t : term) : bool := match t with Apply (Scalar (SPlus | STimes)) (Tc _ (Tc _ Tn)) => true | _ => false end.

(** The same atoms, in any order. *)
Fixpoint without (t : term) (l : list term) : option (list term) := match l with
  | [] => None | u :: l => if eqt t u then Some l else option_map (cons u) (without t l) end.
Fixpoint permuted (l k : list term) : bool := match l with
  | [] => match k with [] => true | _ => false end | t :: l => match without t k with Some k => permuted l k | None => false end end.
(** Whether the coefficients of like monomials add up to 0. *)
Fixpoint cancels (n : nat) (p : list monomial) : bool := match n, p with
  | _, [] => true | O, _ => false
  | S n, (q, l) :: p => let like m := permuted l (snd m) in
      same (Number (fold_right (fun m => Qcplus (fst m)) q (filter like p))) (number 0) && cancels n (filter (fun m => negb (like m)) p) end.
Definition minus (p : list monomial) : list monomial := map (fun m => ((- fst m)%Qc, snd m)) p.
Definition within (l k : list term) : bool := forallb (fun t => existsb (eqt t) k) l.
Definition same_polynomial (t u : term) : bool := calculates t && calculates u &&
  within (factors t) (factors u) && within (factors u) (factors t) &&
  let p := multiplied t ++ minus (multiplied u) in cancels (List.length p) p.

Section Sound.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (e : env).
  Notation mt := (mt w blocks named e).
  Definition is_number (v : value) : bool := match v with Number _ => true | _ => false end.
  Definition product (l : list term) : Qc := fold_right (fun t q => (num (mt t) * q)%Qc) (whole 1) l.
  Definition value_at (p : list monomial) : Qc := fold_right (fun m q => (fst m * product (snd m) + q)%Qc) (whole 0) p.
  Lemma one : whole 1 = 1%Qc. Proof. now apply Qc_is_canon. Qed.
  Lemma none : whole 0 = 0%Qc. Proof. now apply Qc_is_canon. Qed.
  Lemma product_cons t l : product (t :: l) = (num (mt t) * product l)%Qc. Proof. reflexivity. Qed.
  Lemma value_cons m p : value_at (m :: p) = (fst m * product (snd m) + value_at p)%Qc. Proof. reflexivity. Qed.
  Lemma product_nil : product [] = 1%Qc. Proof. exact one. Qed.
  Lemma value_nil : value_at [] = 0%Qc. Proof. exact none. Qed.
  Lemma value_one q l : value_at [(q, l)] = (q * product l)%Qc.
  Proof. unfold value_at. cbn [fold_right fst snd]. rewrite none. ring. Qed.
  Lemma product_app l k : product (l ++ k) = (product l * product k)%Qc.
  Proof. induction l as [|t l IH]; cbn [app]; [rewrite product_nil|rewrite !product_cons, IH]; ring. Qed.
  Lemma value_app p q : value_at (p ++ q) = (value_at p + value_at q)%Qc.
  Proof. induction p as [|m p IH]; cbn [app]; [rewrite value_nil|rewrite !value_cons, IH]; ring. Qed.
  Lemma value_times m p : value_at (map (times m) p) = (fst m * product (snd m) * value_at p)%Qc.
  Proof. induction p as [|n p IH]; cbn [map]; [rewrite value_nil|rewrite !value_cons, IH; cbn [times fst snd]; rewrite product_app]; ring. Qed.
  Lemma value_products p q : value_at (flat_map (fun m => map (times m) q) p) = (value_at p * value_at q)%Qc.
  Proof. induction p as [|m p IH]; cbn [flat_map]; [rewrite value_nil|rewrite value_app, IH, value_times, value_cons]; ring. Qed.
  Lemma value_minus p : value_at (minus p) = (- value_at p)%Qc.
  Proof. induction p as [|m p IH]; [change (minus []) with (@nil monomial); rewrite value_nil|change (minus (m :: p)) with (((- fst m)%Qc, snd m) :: minus p); rewrite !value_cons, IH; cbn [fst snd]]; ring. Qed.

  Lemma plus_eq a b : mt (Apply (Scalar SPlus) (Tc a (Tc b Tn))) = arithmetic Qcplus (mt a) (mt b). Proof. reflexivity. Qed.
  Lemma times_eq a b : mt (Apply (Scalar STimes) (Tc a (Tc b Tn))) = arithmetic Qcmult (mt a) (mt b). Proof. reflexivity. Qed.
  (** What a term calculates, if all of its atoms are numbers; and that it is no number else. *)
  Definition right_for (t : term) : Prop := is_number (mt t) = forallb (fun a => is_number (mt a)) (factors t) /\ (is_number (mt t) = true -> mt t = Number (value_at (multiplied t))).
  Lemma right_atom t : factors t = [t] -> multiplied t = [(whole 1, [t])] -> right_for t.
  Proof.
    intros F M. unfold right_for. rewrite F, M. cbn [forallb]. rewrite andb_true_r. split; auto. destruct (mt t) eqn:V; try discriminate. intros _. rewrite value_one, product_cons, product_nil, V, one. cbn [num]. f_equal. ring.
  Qed.
  Lemma right f o a b : value_at (multiplied (Apply (Scalar o) (Tc a (Tc b Tn)))) = f (value_at (multiplied a)) (value_at (multiplied b)) ->
    mt (Apply (Scalar o) (Tc a (Tc b Tn))) = arithmetic f (mt a) (mt b) -> factors (Apply (Scalar o) (Tc a (Tc b Tn))) = factors a ++ factors b ->
    right_for a -> right_for b -> right_for (Apply (Scalar o) (Tc a (Tc b Tn))).
  Proof.
    intros V E F [A A'] [B B'].
    unfold right_for. rewrite V, F, E, forallb_app, <- A, <- B. destruct (mt a) eqn:MA, (mt b) eqn:MB; cbn [is_number arithmetic andb]; split; try reflexivity; try discriminate.
    intros _. specialize (A' eq_refl). specialize (B' eq_refl). inversion A'. inversion B'. now subst.
  Qed.
  Lemma multiplied_ok : forall t, right_for t.
  Proof.
    fix IH 1. intros t. destruct t as [i c|i j|o ts|b|b|g b]; try (apply right_atom; reflexivity). destruct o as [v| | | | | | | | | |o|n]; try (apply right_atom; reflexivity).
    - destruct v as [|q| | |]; try (apply right_atom; reflexivity). destruct ts as [|a ts]; [|apply right_atom; reflexivity]. split; [reflexivity|]. intros _. change (Number q = Number (value_at [(q, [])])). rewrite value_one, product_nil. f_equal. ring.
    - destruct o; try (apply right_atom; reflexivity); destruct ts as [|a [|b [|c ts]]]; try (apply right_atom; reflexivity).
      + apply (right Qcplus); auto. cbn [multiplied]. apply value_app.
      + apply (right Qcmult); auto. cbn [multiplied]. apply value_products.
  Qed.

  Lemma without_ok t k : forall l, without t l = Some k -> product l = (num (mt t) * product k)%Qc.
  Proof.
    intros l. revert k. induction l as [|u l IH]; intros k; [discriminate|]. cbn [without]. destruct (eqt t u) eqn:X.
    - intros [= <-]. apply (proj1 equal_ok) in X. now subst.
    - destruct (without t l) as [k'|]; [|discriminate]. intros [= <-]. rewrite !product_cons, (IH k' eq_refl). ring.
  Qed.
  Lemma permuted_ok l : forall k, permuted l k = true -> product l = product k.
  Proof.
    induction l as [|t l IH]; intros k; cbn [permuted]; [now destruct k|]. destruct (without t k) as [k'|] eqn:X; [|discriminate]. intros H. apply IH in H. apply without_ok in X. now rewrite X, product_cons, H.
  Qed.
  Lemma like_ok l p q : (fold_right (fun m => Qcplus (fst m)) q (filter (fun m => permuted l (snd m)) p) * product l + value_at (filter (fun m => negb (permuted l (snd m))) p))%Qc = (q * product l + value_at p)%Qc.
  Proof.
    induction p as [|m p IH]; [reflexivity|]. cbn [filter]. destruct (permuted l (snd m)) eqn:X; cbn [negb fold_right].
    - apply permuted_ok in X. change (value_at (m :: p)) with (fst m * product (snd m) + value_at p)%Qc. rewrite <- X.
      transitivity (fst m * product l + (q * product l + value_at p))%Qc; [rewrite <- IH; ring|ring].
    - change (value_at (m :: p)) with (fst m * product (snd m) + value_at p)%Qc. change (value_at (m :: ?x)) with (fst m * product (snd m) + value_at x)%Qc.
      transitivity (fst m * product (snd m) + (q * product l + value_at p))%Qc; [rewrite <- IH; ring|ring].
  Qed.
  Lemma cancels_ok n : forall p, cancels n p = true -> value_at p = 0%Qc.
  Proof.
    induction n as [|n IH]; intros [|[q l] p]; cbn [cancels]; try discriminate; try (intros _; exact none). rewrite andb_true_iff. intros [Z H]. apply IH in H.
    change (value_at ((q, l) :: p)) with (q * product l + value_at p)%Qc. rewrite <- like_ok. rewrite H. unfold same in Z. destruct (value_eq_dec _ _) as [E|]; [|discriminate].
    unfold number in E. inversion E as [E']. rewrite E', none. ring.
  Qed.
  Lemma within_ok l k f : within l k = true -> forallb f k = true -> forallb f l = true.
  Proof.
    intros W F. apply forallb_forall. intros t T. unfold within in W. rewrite forallb_forall in W, F. specialize (W t T). apply existsb_exists in W as (u & U & X). apply (proj1 equal_ok) in X. subst. auto.
  Qed.
  Lemma null_or_number t : calculates t = true -> is_number (mt t) = false -> mt t = Null.
  Proof.
    destruct t as [| |o ts| | |]; try discriminate. destruct o as [| | | | | | | | | |o|]; try discriminate. destruct o; try discriminate; destruct ts as [|a [|b [|]]]; try discriminate; intros _;
      rewrite ?plus_eq, ?times_eq; destruct (mt a), (mt b); cbn; try reflexivity; discriminate.
  Qed.
  Theorem polynomials_agree t u : same_polynomial t u = true -> mt t = mt u.
  Proof.
    unfold same_polynomial. rewrite !andb_true_iff. intros [[[[T U] TU] UT] H]. apply cancels_ok in H. rewrite value_app, value_minus in H.
    destruct (multiplied_ok t) as [T1 T2], (multiplied_ok u) as [U1 U2].
    assert (S : is_number (mt t) = is_number (mt u)) by (rewrite T1, U1; apply eq_true_iff_eq; split; [apply (within_ok _ _ _ UT)|apply (within_ok _ _ _ TU)]).
    destruct (is_number (mt u)) eqn:N; [|now rewrite !null_or_number]. rewrite T2, U2 by auto. f_equal.
    transitivity (value_at (multiplied t) + - value_at (multiplied u) + value_at (multiplied u))%Qc; [ring|rewrite H; ring].
  Qed.
End Sound.
